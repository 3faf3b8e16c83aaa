/** What the plugin needs of Tomcat beyond the servlet API: listeners, filters and servlets of a web application, as they are. */
package org.understudy.container.tomcat;
