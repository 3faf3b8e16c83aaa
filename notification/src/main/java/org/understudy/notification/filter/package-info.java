/** What a consumer wants of all that is published (WS-BaseNotification 1.3, section 4.2, {@code wsnt:Filter}). */
package org.understudy.notification.filter;
