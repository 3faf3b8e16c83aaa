/**
 * WS-BaseNotification 1.3: operations of producers and pull points, filters, topics and delivery. The engine knows
 * subscriptions, time and consumers, and nothing of the requests that change them, nor of where subscriptions are kept.
 */
package org.understudy.notification;
