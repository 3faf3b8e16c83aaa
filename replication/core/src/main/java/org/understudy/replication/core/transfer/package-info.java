/**
 * State transfer: brings a joiner up to date with a snapshot in parts and the updates of the log since. Independent of the
 * meaning of items and of roles; the strategy decides which replica sends and which receives.
 *
 * <p>The sender is a {@link org.understudy.replication.core.transfer.TransferSource} with {@link
 * org.understudy.replication.core.transfer.JoinerTransfers}: {@code join}, {@code acknowledged}, and {@code send} for each
 * new update. The receiver uses {@link org.understudy.replication.core.transfer.JoiningState} to order the parts, restores
 * them, and replaces its state with the last.
 */
package org.understudy.replication.core.transfer;
