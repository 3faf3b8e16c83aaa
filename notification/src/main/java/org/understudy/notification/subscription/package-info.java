/** Subscriptions as values: what a consumer asked for, and until when. The state of delivery is kept apart. */
package org.understudy.notification.subscription;
