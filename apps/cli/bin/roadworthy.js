#!/usr/bin/env node
console.error('placeholder')
