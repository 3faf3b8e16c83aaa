/**
 * State transfer: brings a joiner up to date with a snapshot in parts and the updates of the log since. Knows neither what the
 * items mean nor who may give or take them; the strategy decides both.
 *
 * <p>The replica that gives is a {@link org.understudy.replication.core.transfer.TransferSource} with {@link
 * org.understudy.replication.core.transfer.JoinerTransfers}: {@code join}, {@code acknowledged}, and {@code send} for each new
 * update. The replica that takes learns from {@link org.understudy.replication.core.transfer.JoiningState} which parts come
 * in order, restores these, and takes the whole over with the last.
 */
package org.understudy.replication.core.transfer;
