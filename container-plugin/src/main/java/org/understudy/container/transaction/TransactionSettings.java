package org.understudy.container.transaction;

/**
 * The limits of a group's transactions.
 *
 * @param group the name of the group, part of the transactions' ids
 * @param unsupported why the group has no transactions, as a sentence; null if it has
 * @param replicated whether what is prepared or decided survives the process
 * @param open the maximum number of open transactions; one client may have a quarter of them
 * @param lifetimeMs for how long a transaction may be open
 * @param calls in one transaction
 * @param bytes of the responses that one transaction keeps
 */
public record TransactionSettings(String group, String unsupported, boolean replicated, int open, long lifetimeMs, int calls, long bytes) {}
