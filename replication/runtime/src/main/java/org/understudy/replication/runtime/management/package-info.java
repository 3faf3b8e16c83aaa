/** What an operator sees of a running replica and can do to it: its health as JSON, and operations through JMX. */
package org.understudy.replication.runtime.management;
