/** The time of a group: what its replicas agree on although each has only clocks of its own. */
package org.understudy.replication.core.time;
