# Written by `npm run openapi`: everything here.
