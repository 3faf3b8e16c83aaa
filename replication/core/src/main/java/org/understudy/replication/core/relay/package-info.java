/**
 * Messages that pass a cut link: through a replica that hears both ends. Beneath membership and strategies, which notice no difference
 * but the longer way.
 */
package org.understudy.replication.core.relay;
