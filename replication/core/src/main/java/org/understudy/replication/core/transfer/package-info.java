/**
 * State transfer: brings a joiner up to date with a snapshot in parts and the updates of the log since. Knows neither what the
 * items mean nor who may give or take them; the strategy decides both.
 *
 * <p>The replica that gives is a {@link org.understudy.replication.core.transfer.Donor} with {@link
 * org.understudy.replication.core.transfer.Transfers}: {@code join}, {@code acknowledged} and {@code send} for each new
 * update. The replica that takes collects parts in {@link org.understudy.replication.core.transfer.JoiningState}, and takes
 * over its {@code state} when that is whole.
 */
package org.understudy.replication.core.transfer;
