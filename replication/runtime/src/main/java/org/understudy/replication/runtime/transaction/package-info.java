/** What a replica reports to the participant in transactions that is built on it. */
package org.understudy.replication.runtime.transaction;
