/** Subscriptions as values: filters, consumer and termination time. The state of delivery is separate. */
package org.understudy.notification.subscription;
