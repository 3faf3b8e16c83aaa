/**
 * WS-BaseNotification 1.3: the producer of notifications. The servlet beside it speaks SOAP; the engine here knows
 * subscriptions, time and delivery, and nothing of HTTP requests.
 */
package org.understudy.notification;
