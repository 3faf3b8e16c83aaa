/**
 * The operations of WS-BaseNotification 1.3, independent of where subscriptions and pull points are stored: each takes a
 * request and returns the content of the answer's Body, or throws a declared fault.
 */
package org.understudy.notification.operation;
