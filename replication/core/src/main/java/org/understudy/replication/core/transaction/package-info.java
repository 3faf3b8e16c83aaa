/** The coordinator of transactions over several groups: decides each once, and delivers the decision. */
package org.understudy.replication.core.transaction;
