/** The web application that is measured. It runs in Tomcat and uses nothing but the Servlet API. */
package org.understudy.lab.session.app;
