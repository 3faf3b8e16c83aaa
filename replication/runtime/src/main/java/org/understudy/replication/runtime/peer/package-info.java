/** Messages to and from other replicas: channels, and the queues in front of them. */
package org.understudy.replication.runtime.peer;
