/** Connections from peers: accepted, bounded in number until authenticated, watched for silence afterwards. */
package org.understudy.replication.runtime.inbound;
