/** Records that a strategy stores durably and reads when its replica starts. */
package org.understudy.replication.core.record;
