/** The membership record on disk. */
package org.understudy.replication.runtime.record;
