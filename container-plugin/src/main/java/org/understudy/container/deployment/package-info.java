/** Wires a web application: reads the configuration, opens the replica, publishes the service behind the filter. */
package org.understudy.container.deployment;
