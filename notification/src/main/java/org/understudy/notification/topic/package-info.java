/** Topics and expressions that select them (WS-Topics 1.3): plain values, no I/O. */
package org.understudy.notification.topic;
