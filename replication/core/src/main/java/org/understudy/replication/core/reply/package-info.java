/** Exactly once: sessions and stored replies, as replicated state (Lee et al. 2015; Ongaro 2014, 6.3). */
package org.understudy.replication.core.reply;
