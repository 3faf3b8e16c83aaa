/**
 * What the operations of WS-BaseNotification 1.3 do, wherever subscriptions and pull points are stored: each takes a request
 * and gives the content of the answer's Body, or a declared fault.
 */
package org.understudy.notification.operation;
