/**
 * Delivery of notifications: selection of subscriptions, a queue for each, non-blocking connections, and checkpoints from
 * which another replica can continue.
 */
package org.understudy.notification.delivery;
