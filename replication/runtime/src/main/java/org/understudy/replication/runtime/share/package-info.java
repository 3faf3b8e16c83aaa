/** What one client may hold of this replica's memory, and what one client is. */
package org.understudy.replication.runtime.share;
