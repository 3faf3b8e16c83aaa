/** What an operator can do at a running replica, through JMX. */
package org.understudy.container.management;
