/**
 * State transfer: brings a joiner up to date with a snapshot in parts and the updates of the log since. Knows neither what the
 * items mean nor who may give or take them; the strategy decides both.
 */
package org.understudy.replication.core.transfer;
