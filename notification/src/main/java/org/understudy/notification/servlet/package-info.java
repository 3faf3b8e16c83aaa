/** The door: SOAP over HTTP, and the WSDL that describes it. */
package org.understudy.notification.servlet;
