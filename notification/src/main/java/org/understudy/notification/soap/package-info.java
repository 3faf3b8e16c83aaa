/** Reading and writing SOAP messages with StAX, within limits. */
package org.understudy.notification.soap;
