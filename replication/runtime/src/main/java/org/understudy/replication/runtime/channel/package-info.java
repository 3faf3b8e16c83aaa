/** How a group channel is installed and opened: its provider, and what it may need from the configuration. */
package org.understudy.replication.runtime.channel;
