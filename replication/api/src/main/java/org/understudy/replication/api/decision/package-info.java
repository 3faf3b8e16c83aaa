/** How an update that changes a database commits together with the replicated part of the same update. JDK only. */
package org.understudy.replication.api.decision;
