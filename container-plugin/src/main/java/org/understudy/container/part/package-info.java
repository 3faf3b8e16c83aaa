/** Endpoints that other modules add to a web application, behind the limits of the plugin's own endpoints. */
package org.understudy.container.part;
