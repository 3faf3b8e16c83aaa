/** {@code scripts/counter}: one class per command. */
package org.understudy.counter.client.command;
