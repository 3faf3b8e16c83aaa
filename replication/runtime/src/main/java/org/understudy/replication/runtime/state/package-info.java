/** The applied state of a replica, and the listeners that follow its changes. */
package org.understudy.replication.runtime.state;
