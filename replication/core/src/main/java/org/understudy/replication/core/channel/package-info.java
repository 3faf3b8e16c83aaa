/** The contract of a totally ordered group channel; implementations are in other modules. */
package org.understudy.replication.core.channel;
