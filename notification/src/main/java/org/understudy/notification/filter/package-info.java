/** The filters of a subscription (WS-BaseNotification 1.3, section 4.2, {@code wsnt:Filter}). */
package org.understudy.notification.filter;
