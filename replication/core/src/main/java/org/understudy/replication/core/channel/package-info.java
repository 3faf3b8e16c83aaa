/** What a strategy may expect of a channel that orders messages for a whole group; implementations are outside. */
package org.understudy.replication.core.channel;
