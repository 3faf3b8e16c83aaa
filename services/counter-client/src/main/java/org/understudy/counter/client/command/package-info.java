/** {@code scripts/counter}: one class a command. */
package org.understudy.counter.client.command;
