/**
 * Primary-backup (Zhang et al. 2004): the primary executes, sends the state update, and replies when every backup of the
 * view has it.
 *
 * <p>The page {@code docs/design/primary-backup.md} has the glossary, the messages and the rules.
 */
package org.understudy.replication.core.primarybackup;
