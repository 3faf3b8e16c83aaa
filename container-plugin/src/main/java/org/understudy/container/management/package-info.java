/** Operations for the operator of a running replica, through JMX. */
package org.understudy.container.management;
