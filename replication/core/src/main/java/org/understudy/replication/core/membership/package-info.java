/**
 * Agreement by a majority on views: which replica is primary, and since when. Rejects messages of older epochs.
 *
 * <p>The page {@code docs/design/membership.md} has the glossary, the messages and the rules.
 */
package org.understudy.replication.core.membership;
