package org.understudy.lab.torture.client;

/**
 * How an operation ended.
 *
 * @param ended with a value, without effect, or unknown
 * @param value the counter's value, if there is one
 * @param replica that answered, or 0 if that is not known
 */
record Attempt(org.understudy.lab.torture.history.Outcome ended, int value, int replica) {
}
