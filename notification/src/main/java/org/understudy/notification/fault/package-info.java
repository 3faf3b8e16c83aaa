/** The faults that WS-BaseNotification 1.3 declares, with the content of WS-BaseFaults 1.2. */
package org.understudy.notification.fault;
