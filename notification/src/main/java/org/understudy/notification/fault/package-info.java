/** The faults that WS-BaseNotification 1.3 and WS-BrokeredNotification 1.3 declare, as WS-BaseFaults 1.2 writes them. */
package org.understudy.notification.fault;
