/** What the plugin finds out about a service at deployment: its operations, state and injections, and whether it can be replicated. */
package org.understudy.container.service;
