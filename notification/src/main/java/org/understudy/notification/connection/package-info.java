/** HTTP and HTTPS to those whom messages and requests are sent to. */
package org.understudy.notification.connection;
