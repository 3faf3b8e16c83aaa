/** Getting notifications to consumers: a queue for each, sockets that none of them can hold up. */
package org.understudy.notification.delivery;
