/** HTTP and HTTPS connections to consumers and other receivers of requests. */
package org.understudy.notification.connection;
