/** The faults that WS-BaseNotification 1.3 and WS-BrokeredNotification 1.3 declare, with the content of WS-BaseFaults 1.2. */
package org.understudy.notification.fault;
