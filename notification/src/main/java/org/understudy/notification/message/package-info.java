/** Notify messages on the wire: writing and reading them with StAX, in microseconds; no DOM, no binding. */
package org.understudy.notification.message;
