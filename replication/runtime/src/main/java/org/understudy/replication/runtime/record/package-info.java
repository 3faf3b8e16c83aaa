/** The records of one replica on disk. */
package org.understudy.replication.runtime.record;
