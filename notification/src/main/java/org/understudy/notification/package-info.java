/**
 * WS-BaseNotification 1.3: operations of producers and pull points, filters, topics and delivery. Delivery is independent
 * of the operations and of where subscriptions are stored.
 */
package org.understudy.notification;
