/** The session manager for Tomcat: sessions, the transaction of one request, and the valve through which requests pass. */
package org.understudy.session;
